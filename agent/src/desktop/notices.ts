import { randomUUID } from 'node:crypto'
import type { SpoolReport } from '../core/spool/types.ts'
import type { WindowState } from '../shared/ipc/window-state.ts'

type Notice = WindowState['notices'][number]

const kindOf: Readonly<Partial<Record<SpoolReport['kind'], Notice['kind']>>> = {
  thinned: 'thinned',
  database_set_aside: 'set_aside',
  lost: 'set_aside',
  unreadable_file: 'set_aside',
  refused: 'refused_items',
}

/** What the spool did that the candidate should know, one line for each kind, until it is put away. */
export class Notices {
  #notices: Notice[] = []

  /** Gives whether there is something new to show. */
  add(report: SpoolReport, at: number): boolean {
    const kind = kindOf[report.kind]
    return kind === undefined ? false : this.#count(kind, 'items' in report ? report.items : 1, at)
  }

  storageFull(at: number): boolean {
    return this.#count('storage_full', 0, at)
  }

  dismiss(id: string): void {
    this.#notices = this.#notices.filter((notice) => notice.id !== id)
  }

  clear(): void {
    this.#notices = []
  }

  list(): Notice[] {
    return this.#notices
  }

  #count(kind: Notice['kind'], items: number, at: number): boolean {
    const known = this.#notices.find((notice) => notice.kind === kind)
    const total = (known?.items ?? 0) + items
    const notice = { id: known?.id ?? randomUUID(), kind, at, ...(total > 0 ? { items: total } : {}) }
    this.#notices = [...this.#notices.filter((other) => other !== known), notice]
    return true
  }
}
