import type { ComponentType } from 'react'
import type { Permission } from '../../data/desk-api.ts'
import type { SectionProps } from '../../parts/section-props.ts'
import type { DeskText } from '../../words/desk.ts'

/** A subject of a room of the desk. */
export interface Section {
  /** In the address. */
  readonly name: string
  /** In the list of the room's sections. */
  readonly title: DeskText
  /** Who is offered it: whoever has any of these. Everybody where none is named. */
  readonly may: readonly Permission[]
  /** Loaded when it is opened: `later(async () => (await import('…')).MembersPage)`. */
  readonly page: ComponentType<SectionProps>
}
