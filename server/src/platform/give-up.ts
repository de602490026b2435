/** An error that no retry can mend: a job that fails with it does not run again. */
export class GiveUp extends Error {
  override readonly name: string = 'GiveUp'
}
