/** What no further try will mend: a job that fails with it is not run again. */
export class GiveUp extends Error {
  override readonly name: string = 'GiveUp'
}
