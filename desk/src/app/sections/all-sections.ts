import type { SectionRoom } from '../../data/route.ts'
import { businessSections } from './business.ts'
import { connectionsSections } from './connections.ts'
import { developersSections } from './developers.ts'
import { houseSections } from './house.ts'
import { peopleSections } from './people.ts'
import type { Section } from './section.ts'

/** The sections of each room, in the order in which they are listed. */
export const sectionsOf: Readonly<Record<SectionRoom, readonly Section[]>> = {
  organisation: [...peopleSections, ...businessSections, ...houseSections],
  developers: developersSections,
  connections: connectionsSections,
}
