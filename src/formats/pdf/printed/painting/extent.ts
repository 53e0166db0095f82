import type { PaintTarget } from '../coverage.ts';
import { type Area, areaOfLine, intersection } from '../matrix.ts';

/** Further than any page reaches. */
const FAR = 1e9;

/** Bounding box of painted content. */
export class Extent implements PaintTarget {
  readonly view: Area = [-FAR, -FAR, FAR, FAR];
  isPicture = false;
  isPartial = false;
  /** Undefined when nothing is painted. */
  area: Area | undefined;

  isGround(): boolean {
    return false;
  }

  fillUnknown(): void {
    this.isPartial = true;
  }

  fillArea(area: Area): void {
    const [left, bottom, right, top] = intersection(area, this.view);
    // Also false for NaN: numbers without sense paint nothing.
    if (!(right >= left && top >= bottom)) return;
    const own = this.area ?? [left, bottom, right, top];
    this.area = [
      Math.min(own[0], left),
      Math.min(own[1], bottom),
      Math.max(own[2], right),
      Math.max(own[3], top),
    ];
  }

  strokeLine(x1: number, y1: number, x2: number, y2: number, width: number, clip: Area): void {
    this.fillArea(intersection(areaOfLine([x1, y1, x2, y2], width / 2), clip));
  }

  fillPaths(paths: readonly (readonly number[])[], _isEvenOdd: boolean, clip: Area): void {
    for (const path of paths) {
      for (let at = 0; at + 1 < path.length; at += 2) {
        const [x, y] = [path[at] as number, path[at + 1] as number];
        const [nextX, nextY] = [path[at + 2] ?? x, path[at + 3] ?? y];
        this.strokeLine(x, y, nextX, nextY, 0, clip);
      }
    }
  }
}
