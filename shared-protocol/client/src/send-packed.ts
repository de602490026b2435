import type { PackAnswer } from './endpoint-types.ts'
import { IntegrityError } from './errors.ts'
import { isTooLarge, isWithoutPacks, itemRefusal } from './pack-refusals.ts'
import type { Problems } from './send-loop.ts'

export type PackOutcomes = PackAnswer['items']

export interface PackedPorts<Item> {
  /** Answers what became of each item, in their order. Throws `IntegrityError`. */
  pack(items: readonly Item[]): Promise<PackOutcomes>
  /** Sends one by its own endpoint. Throws `IntegrityError`. */
  alone(item: Item): Promise<void>
  /** Milliseconds. */
  now(): number
}

/** A service without packs is asked again after so long: it may have been renewed. */
const askAgainMs = 600_000

const endsAll = (error: IntegrityError): boolean => error.isPassing || error.kind === 'unauthorized'

/** Sends items in one request where the service takes that, else each by its own endpoint. */
export class PackedSending<Item> {
  readonly #ports: PackedPorts<Item>
  #aloneUntil = Number.NEGATIVE_INFINITY

  constructor(ports: PackedPorts<Item>) {
    this.#ports = ports
  }

  /** The service is known to have none. */
  get isWithoutPacks(): boolean {
    return this.#ports.now() < this.#aloneUntil
  }

  /** Why items failed, by their index. Throws `IntegrityError` where none was taken, and none was refused by itself. */
  async send(items: readonly Item[]): Promise<Problems> {
    if (this.isWithoutPacks) return this.#sendEach(items)
    try {
      return problemsOf(items, await this.#ports.pack(items))
    } catch (error) {
      if (!(error instanceof IntegrityError)) throw error
      if (isWithoutPacks(error)) this.#aloneUntil = this.#ports.now() + askAgainMs
      else if (endsAll(error) && !isTooLarge(error)) throw error
      // What is refused as a whole says nothing of any item.
      return this.#sendEach(items)
    }
  }

  async #sendEach(items: readonly Item[]): Promise<Problems> {
    const problems = new Map<number, IntegrityError>()
    let ended: IntegrityError | undefined
    for (const [index, item] of items.entries()) {
      if (ended) problems.set(index, ended)
      else
        try {
          await this.#ports.alone(item)
        } catch (error) {
          if (!(error instanceof IntegrityError)) throw error
          if (endsAll(error)) ended = error
          problems.set(index, error)
        }
    }
    if (ended && problems.get(0) === ended) throw ended
    return problems
  }
}

/** Nothing leaves the queue by an answer that is about something else. */
const problemsOf = (items: readonly unknown[], outcomes: PackOutcomes): Problems => {
  if (outcomes.length !== items.length) {
    const message = `the answer to a pack of ${items.length} items is about ${outcomes.length}`
    throw new IntegrityError({ code: 'not_the_service', status: 200, message })
  }
  return new Map(
    outcomes.flatMap((one, index) => (one.status === 'refused' ? [[index, itemRefusal(one)] as const] : [])),
  )
}
