/** What is compared of a report, as it is signed: `session-report/1`. */
export interface ComparedReport {
  readonly asOf: string
  readonly signOff: {
    readonly statement: string | null
    readonly signedOffAt: string
    readonly signedOffBy: { readonly name: string }
  } | null
  readonly lanes: readonly {
    readonly lane: string
    readonly observedMs?: number
    readonly heldMs?: number
    readonly gaps: readonly unknown[]
  }[]
  readonly inventory: readonly { readonly objects: number; readonly erasedObjects: number }[]
  readonly signals: { readonly total: number }
  /** Earlier reports say nothing of them. */
  readonly statements?: readonly { readonly at: string; readonly text: string | null }[]
  readonly notes: readonly Written[]
  readonly annotations: readonly Written[]
}

interface Written {
  readonly id: string
  readonly text: string
  readonly author: { readonly name: string }
  readonly createdAt: string
}

/** A figure that is another one. */
export interface Changed {
  readonly what: 'gaps' | 'held' | 'items' | 'observed' | 'signals'
  /** Of the lane; absent where it is of the whole interview. */
  readonly lane?: string
  readonly before: number
  readonly after: number
}

/** Words that one of two reports has alone. */
export interface Words {
  readonly kind: 'annotation' | 'note' | 'statement'
  readonly change: 'added' | 'gone'
  /** Null where they were erased. */
  readonly text: string | null
  /** Who of the organisation wrote them; null: the candidate. */
  readonly by: string | null
  readonly at: string
}

export interface Difference {
  readonly figures: readonly Changed[]
  readonly words: readonly Words[]
}

const itemsOf = ({ inventory }: ComparedReport): number =>
  inventory.reduce((sum, { objects, erasedObjects }) => sum + objects - erasedObjects, 0)

const figuresOf = (report: ComparedReport): Map<string, Omit<Changed, 'after' | 'before'> & { readonly n: number }> => {
  const all = new Map<string, Omit<Changed, 'after' | 'before'> & { readonly n: number }>()
  const put = (what: Changed['what'], n: number, lane?: string) =>
    all.set(`${what} ${lane}`, { what, n, ...(lane === undefined ? {} : { lane }) })
  put('items', itemsOf(report))
  put('signals', report.signals.total)
  for (const { lane, observedMs = 0, heldMs = 0, gaps } of report.lanes) {
    put('observed', observedMs, lane)
    put('held', heldMs, lane)
    put('gaps', gaps.length, lane)
  }
  return all
}

const writtenIn = (report: ComparedReport): Map<string, Omit<Words, 'change'>> =>
  new Map<string, Omit<Words, 'change'>>([
    ...(report.statements ?? []).map(
      ({ at, text }) => [`statement ${at}`, { kind: 'statement', text, by: null, at }] as const,
    ),
    ...(['note', 'annotation'] as const).flatMap((kind) =>
      report[`${kind}s`].map(
        ({ id, text, author, createdAt }) => [id, { kind, text, by: author.name, at: createdAt }] as const,
      ),
    ),
  ])

/** What one report says and the other does not, in the order of time. */
export const differenceOf = (before: ComparedReport, after: ComparedReport): Difference => {
  const [first, last] = [figuresOf(before), figuresOf(after)]
  const [was, is] = [writtenIn(before), writtenIn(after)]
  const only = (these: typeof was, others: typeof was, change: Words['change']) =>
    [...these].flatMap(([key, words]) => (others.has(key) ? [] : [{ ...words, change }]))
  return {
    figures: [...new Set([...first.keys(), ...last.keys()])].flatMap((key) => {
      const one = last.get(key) ?? first.get(key)
      const [from, to] = [first.get(key)?.n ?? 0, last.get(key)?.n ?? 0]
      if (!one || from === to) return []
      const { n: _n, ...about } = one
      return [{ ...about, before: from, after: to }]
    }),
    words: [...only(was, is, 'gone'), ...only(is, was, 'added')].sort((a, b) => a.at.localeCompare(b.at)),
  }
}
