/** A decoder was ended from outside before it was done, which says nothing of what it decoded: to be tried again. */
export class DecoderKilled extends Error {
  override readonly name = 'DecoderKilled'
  constructor() {
    super('a decoder was ended from outside before it was done')
  }
}
