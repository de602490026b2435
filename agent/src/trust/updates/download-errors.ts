/**
 * `unavailable` try again later, what is there stays; `wrong_file` what came is not the announced build, it was
 * removed; `no_space` the disk is full, the half-done file was removed; `not_allowed` the address is not https.
 */
export type DownloadFault = 'unavailable' | 'wrong_file' | 'no_space' | 'not_allowed'

export class DownloadError extends Error {
  override readonly name = 'DownloadError'
  readonly fault: DownloadFault

  /** `message` is a sentence for people. */
  constructor(fault: DownloadFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.fault = fault
  }
}
