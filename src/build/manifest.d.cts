export declare function manifestFor(text: string, publicUrl: string): string;
