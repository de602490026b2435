/** What a note points at: milliseconds from the start of the session, an evidence object or an event. */
export type Anchor = { readonly atMs: number } | { readonly evidenceId: string } | { readonly eventId: string }

/** The moment that an annotation is about: when it was (epoch milliseconds), and its id where a rule names it. */
export interface AnnotatedMoment {
  readonly at: number
  readonly momentId: string | null
}

/** A note of a member about a session. */
export interface NoteRow<A = Anchor> {
  readonly position: number
  readonly id: string
  /** Of an annotation. */
  readonly meaning: string | null
  readonly text: string
  /** As they were called, and what they were, when they wrote it. */
  readonly authorName: string
  readonly authorRole: string
  readonly createdAt: number
  /** Null where there is none, or it was erased. */
  readonly anchor: A | null
}
export type AnnotationRow = NoteRow<AnnotatedMoment>
export interface AnchorOf {
  readonly note: Anchor
  readonly annotation: AnnotatedMoment
}
export type NoteKind = keyof AnchorOf
