import type { Finding, SourceFile } from './source-tree.ts'

/** What a check lets pass, and why. */
export type Exemptions = Readonly<Record<string, string>>

export interface Candidate extends Finding {
  /** What an exemption names it by. */
  readonly key: string
}

/** Where exemptions stand: those of this tree say nothing of another one. */
export interface ExemptionList {
  readonly path: string
  readonly exemptions: Exemptions
}

/** The findings that are not exempt, and the exemptions that exempt nothing any more. */
export const applyExemptions = (
  found: readonly Candidate[],
  list: ExemptionList,
  files: readonly SourceFile[],
): Finding[] => {
  const exemptions = files.some(({ path }) => path === list.path) ? list.exemptions : {}
  const keys = new Set(found.map(({ key }) => key))
  return [
    ...found.filter(({ key }) => !(key in exemptions)).map(({ path, message }) => ({ path, message })),
    ...Object.keys(exemptions)
      .filter((key) => !keys.has(key))
      .map((key) => ({ path: list.path, message: `the exemption of ${key} is stale: take it out` })),
  ]
}
