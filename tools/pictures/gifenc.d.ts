declare module 'gifenc' {
	/** Red, green and blue of each. */
	type Palette = number[][];
	interface FrameOptions {
		palette?: Palette;
		/** In milliseconds. */
		delay: number;
		transparent: boolean;
		transparentIndex: number;
		/** 1: the next frame is drawn over this one. */
		dispose: number;
	}
	/** @param pixels red, green, blue and opacity of each */
	function quantize(pixels: Uint8Array, maxColors: number): Palette;
	function nearestColorIndex(palette: Palette, color: number[]): number;
	function GIFEncoder(): {
		writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
		finish(): void;
		bytes(): Uint8Array;
	};
}
