/** A refusal with a name of ours; the browser's own errors have theirs. */
export class Refusal extends Error {
  constructor(name: string, detail: string) {
    super(detail)
    this.name = name
  }
}
