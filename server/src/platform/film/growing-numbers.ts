/** 32-bit numbers in the order they came, four bytes each. */
export class GrowingNumbers {
  #values = new Uint32Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Uint32Array(this.#length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length++] = value
  }

  last(): number | undefined {
    return this.#length === 0 ? undefined : this.#values[this.#length - 1]
  }

  /** Takes the last one out, if there is one. */
  pop(): void {
    if (this.#length > 0) this.#length -= 1
  }

  values(): Uint32Array {
    return this.#values.subarray(0, this.#length)
  }
}

/** 32-bit numbers with how often each came in a row. */
export class RunLengths {
  readonly counts = new GrowingNumbers()
  readonly numbers = new GrowingNumbers()

  push(value: number): void {
    const count = this.counts.last()
    if (count === undefined || this.numbers.last() !== value >>> 0) {
      this.numbers.push(value)
      this.counts.push(1)
    } else {
      this.counts.pop()
      this.counts.push(count + 1)
    }
  }

  /** Makes the last number greater by `difference`. */
  addToLast(difference: number): void {
    const [count, value] = [this.counts.last(), this.numbers.last()]
    if (count === undefined || value === undefined) return
    this.counts.pop()
    if (count > 1) this.counts.push(count - 1)
    else this.numbers.pop()
    this.push(value + difference)
  }
}
