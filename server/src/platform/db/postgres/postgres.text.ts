import { createHash } from 'node:crypto'
import { Cache } from '../../cache.ts'

// Everything in which a `?` is not a placeholder: strings, names, dollar quotes, comments.
const opaque = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[a-z_]\w*)?\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\/|\?/gi

/** Numbers the placeholders: `?` becomes `$1`, `$2` … outside quotes and comments. */
export const numberPlaceholders = (sql: string): string => {
  let count = 0
  return sql.replace(opaque, (match) => {
    if (match !== '?') return match
    count += 1
    return `$${count}`
  })
}

interface Text {
  readonly text: string
  readonly preparable: boolean
  uses: number
  name: string | undefined
}

const cachedTexts = 500

/**
 * Numbered texts by their original, and the names under which the server keeps their plans. A text is named the
 * second time it is used, so that one-off statements leave nothing behind on the server.
 */
export class PostgresTexts {
  readonly #cache = new Cache<Text>({ limit: cachedTexts })
  readonly #namesPlans: boolean
  #epoch = 0

  constructor({ namesPlans = true }: { readonly namesPlans?: boolean } = {}) {
    this.#namesPlans = namesPlans
  }

  get(sql: string): { text: string; name: string | undefined } {
    let entry = this.#cache.get(sql)
    if (entry === undefined) {
      const preparable = this.#namesPlans && /^\s*(select|insert|update|delete|with)\b/i.test(sql)
      entry = { text: numberPlaceholders(sql), preparable, uses: 0, name: undefined }
      this.#cache.set(sql, entry)
    }
    entry.uses += 1
    if (entry.preparable && entry.name === undefined && entry.uses > 1) {
      entry.name = `p${this.#epoch}_${createHash('sha256').update(entry.text).digest('hex').slice(0, 24)}`
    }
    return entry
  }

  /** A migration changed a result's columns under a prepared plan: every text is prepared again under another name. */
  forgetPlans(): void {
    this.#epoch += 1
    this.#cache.clear()
  }
}
