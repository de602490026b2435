import type { BuiltInRole, ConsentLocale, Notice, StatementSection } from '@integrity/protocol'
import type { statementTexts } from '@integrity/protocol/texts/areas/statement'
import type { PolicyRow } from '../../interviews/session-policies/session-policies.types.ts'
import type { Processing } from './compliance.service.ts'

/** What holds a sentence: a setting or a promise, and the test that fails where it is not so. */
export interface HeldBy {
  /** What it is called, as the texts of the statement have it. */
  readonly name: Extract<keyof (typeof statementTexts)['en'], `held.${string}`>
  readonly file: string
  readonly test: string
}

/** A sentence as it is kept, so that the next configuration can be held against it. */
export interface KeptSentence {
  /** The same for what is said of one thing, whatever is said of it. */
  readonly key: string
  /** Of what configuration it is made; null for what no configuration changes. */
  readonly facts: string | null
  readonly text: Readonly<Record<ConsentLocale, string>>
}
export interface Sentence extends KeptSentence {
  readonly section: StatementSection
  readonly heldBy: HeldBy
}

/** What the sentences are made of. */
export interface Configuration {
  readonly notice: Notice
  readonly processing: Processing
  /** Active ones, each as its newest version has it. */
  readonly policies: readonly PolicyRow[]
  readonly roles: readonly {
    readonly id: string
    readonly name: string
    /** Null for a custom one. */
    readonly builtIn: BuiltInRole | null
    readonly permissions: readonly string[]
  }[]
}

/** One line of a difference; null where there was, or is, no such sentence. */
export interface Change {
  readonly before: KeptSentence['text'] | null
  readonly after: KeptSentence['text'] | null
}
