import { writeFile } from 'node:fs/promises';
import { GIFEncoder, nearestColorIndex, quantize } from 'gifenc';
import type { Page } from 'playwright-core';

/** Of the 256 colors of a GIF one stands for "as before"; these many are those that are there most. */
const FREQUENT_COLORS = 128;

/** The others stand between those that are left. */
const OTHER_COLORS = 127;

type Clip = Record<'x' | 'y' | 'width' | 'height', number>;

interface Frame {
	/** The color of each pixel, as red, green, blue and opacity in the bytes of a number. */
	pixels: Uint32Array;
	/** How long it is shown, in milliseconds. */
	delay: number;
}

/** A moving picture of a part of a page. */
export class Film {
	private readonly frames: Frame[] = [];

	/** @param clip the part, in whole pixels */
	constructor(
		private readonly page: Page,
		private readonly clip: Clip,
	) {}

	/** Takes a picture, and shows it for as long as a piece of work takes. */
	async shootWhile(work: () => Promise<unknown>): Promise<void> {
		const began = Date.now();
		await this.shoot(0);
		await work();
		this.frames[this.frames.length - 1].delay += Date.now() - began;
	}

	/** Takes a picture, and shows it for so many milliseconds. */
	async shoot(delay: number): Promise<void> {
		const pixels = await this.decode(await this.page.screenshot({ clip: this.clip }));
		const last = this.frames.at(-1);
		const isSame = last?.pixels.every((color, at) => color === pixels[at]);
		if (last && isSame) last.delay += delay;
		else this.frames.push({ pixels, delay });
	}

	/** Writes what was taken as a GIF that begins anew at its end. */
	async write(path: string): Promise<void> {
		const { width, height } = this.clip;
		const counts = countColors(this.frames);
		const palette = choosePalette(counts);
		const indexes = new Map(
			[...counts.keys()].map((c) => [c, nearestColorIndex(palette, split(c))]),
		);
		const same = palette.push([0, 0, 0]) - 1;
		const encoder = GIFEncoder();
		let before: Uint8Array | undefined;
		for (const { pixels, delay } of this.frames) {
			const colors = Uint8Array.from(pixels, (color) => indexes.get(color) ?? same);
			encoder.writeFrame(before ? keepChanges(colors, before, same) : colors, width, height, {
				palette: before ? undefined : palette,
				delay,
				transparent: true,
				transparentIndex: same,
				dispose: 1,
			});
			before = colors;
		}
		encoder.finish();
		await writeFile(path, encoder.bytes());
	}

	/** Chromium reads its own PNG. As text: this project's types know nothing of a browser. */
	private async decode(png: Buffer): Promise<Uint32Array> {
		const pixels = await this.page.evaluate<string>(`(async () => {
			const blob = await (await fetch('data:image/png;base64,${png.toString('base64')}')).blob();
			const bitmap = await createImageBitmap(blob);
			const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
			context.drawImage(bitmap, 0, 0);
			const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
			let text = '';
			for (let at = 0; at < data.length; at += 8192)
				text += String.fromCharCode(...data.subarray(at, at + 8192));
			return btoa(text);
		})()`);
		return new Uint32Array(Uint8Array.from(Buffer.from(pixels, 'base64')).buffer);
	}
}

/** How many pixels of all frames have a color. */
function countColors(frames: Frame[]): Map<number, number> {
	const counts = new Map<number, number>();
	for (const { pixels } of frames) {
		for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
	}
	return counts;
}

function choosePalette(counts: Map<number, number>): number[][] {
	const colors = [...counts].sort(([, one], [, other]) => other - one).map(([color]) => color);
	const rest = Uint32Array.from(colors.slice(FREQUENT_COLORS));
	const others = rest.length > 0 ? quantize(new Uint8Array(rest.buffer), OTHER_COLORS) : [];
	return [...colors.slice(0, FREQUENT_COLORS).map(split), ...others];
}

const split = (color: number): number[] => [color & 255, (color >> 8) & 255, (color >> 16) & 255];

/** A frame's colors, where they are other ones than before. */
const keepChanges = (colors: Uint8Array, before: Uint8Array, same: number): Uint8Array =>
	colors.map((color, at) => (color === before[at] ? same : color));
