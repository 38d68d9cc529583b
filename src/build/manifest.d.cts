export declare function manifestFor(text: string, release: { publicUrl: string; version: string }): string;
