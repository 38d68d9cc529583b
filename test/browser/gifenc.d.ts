/** The part of gifenc that the moving picture uses; the package has no types. */
declare module "gifenc" {
  export type Palette = number[][];
  export function quantize(rgba: Uint8Array, maxColors: number): Palette;
  export function applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
  export function GIFEncoder(): {
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options: {
        readonly palette?: Palette;
        readonly delay: number;
        readonly transparent: boolean;
        readonly transparentIndex: number;
        readonly dispose: number;
      },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  };
}
