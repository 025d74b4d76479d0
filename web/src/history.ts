// SPDX-License-Identifier: MIT
// The channels of the last minutes, for the plots. One fixed block of numbers, so that memory stays constant. Pure.

export class History {
    private times: Float64Array;
    private values: Float32Array; // row by row
    private begin = 0;
    private count = 0;

    constructor(
        readonly width: number,
        readonly capacity = 4096,
    ) {
        this.times = new Float64Array(capacity);
        this.values = new Float32Array(capacity * width);
    }

    get length(): number {
        return this.count;
    }

    private row(i: number): number {
        return (this.begin + i) % this.capacity;
    }

    time(i: number): number {
        return this.times[this.row(i)]!;
    }

    value(i: number, channel: number): number {
        return this.values[this.row(i) * this.width + channel]!;
    }

    /** Adds a row; rows at or after its time belong to a timeline that was left, and go. */
    add(t: number, values: ArrayLike<number>): void {
        while (this.count > 0 && this.time(this.count - 1) >= t) {
            this.count--;
        }
        if (this.count === this.capacity) {
            this.begin = (this.begin + 1) % this.capacity;
            this.count--;
        }
        const row = this.row(this.count);
        this.times[row] = t;
        for (let c = 0; c < this.width; c++) {
            this.values[row * this.width + c] = values[c] ?? NaN;
        }
        this.count++;
    }

    /** first row with time >= t */
    find(t: number): number {
        let low = 0;
        let high = this.count;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.time(middle) < t) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    clear(): void {
        this.begin = 0;
        this.count = 0;
    }
}
