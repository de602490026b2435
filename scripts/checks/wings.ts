import { importsOf, isCode, isTest, type SourceFile, type StructureCheck } from './source-tree.ts'

/**
 * The wings that the domains stand in, and which wings each may import, in shared-protocol and in the server. Types count. What two
 * wings need of each other belongs into the lower one.
 */
export const wings = {
  /** The tenant: its accounts, keys, name, rules and plan. */
  organisation: [],
  /** A session and the rules of what it records, and the state of its review. */
  interviews: ['organisation'],
  /** What devices send, how it is stored, and who opened it. */
  recording: ['interviews', 'organisation'],
  /** What reviewers read, hear and write of a session. */
  review: ['recording', 'interviews', 'organisation'],
  /** What a candidate is sent, and what a candidate may ask for. */
  candidates: ['review', 'recording', 'interviews', 'organisation'],
  /** Who gets into an organisation, how, and with which role. */
  access: ['interviews', 'organisation'],
  /** Other programs: webhooks, applicant tracking systems, chat, the sandbox. */
  integrations: ['candidates', 'review', 'recording', 'interviews', 'organisation'],
  /** What an organisation's administrators run: retention, storage, compliance, billing. */
  administration: ['integrations', 'access', 'candidates', 'review', 'recording', 'interviews', 'organisation'],
} as const satisfies Readonly<Record<string, readonly string[]>>

const names = Object.keys(wings).join('|')
const inWing = new RegExp(`^(?:server|shared-protocol)/src/domains/(?:(?:${names})/)?([^/]+)/`)

/** The domain that a file of the server or the contract belongs to. */
export const domainOf = (path: string): string | undefined => inWing.exec(path)?.[1]

const wingPattern = new RegExp(`^(?:server|shared-protocol)/src/domains/(${names})/`)
const wingOf = (path: string): keyof typeof wings | undefined => wingPattern.exec(path)?.[1] as keyof typeof wings

const isShipped = ({ path }: SourceFile): boolean => isCode(path) && !isTest(path) && !/test-support/.test(path)

/** Holds the table above. */
export const wingsOneWay: StructureCheck = {
  name: `the wings of domains import one way (${Object.keys(wings).join(', ')}), types included`,
  find: (files) =>
    files.filter(isShipped).flatMap((file) => {
      const from = wingOf(file.path)
      if (from === undefined) return []
      const below: readonly string[] = wings[from]
      return importsOf(file).flatMap((imported) => {
        const to = wingOf(imported)
        if (to === undefined || to === from || below.includes(to)) return []
        return [{ path: file.path, message: `imports ${imported}; ${from} stands on ${below.join(', ') || 'nothing'}` }]
      })
    }),
}
