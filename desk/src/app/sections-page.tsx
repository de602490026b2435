import type { ReactNode } from 'react'
import type { Org } from '../data/desk-api.ts'
import type { SectionRoom, SectionRoute } from '../data/route.ts'
import { useDesk } from '../parts/desk-context.ts'
import { useLanguage } from '../parts/language.ts'
import { Link } from '../parts/link.tsx'
import { ElsewherePage } from '../rooms/elsewhere/elsewhere-page.tsx'
import { sectionsOf } from './sections/all-sections.ts'
import type { Section } from './sections/section.ts'

/** The sections of a room that a member of the organisation is offered. */
export const offeredIn = (room: SectionRoom, org: Pick<Org, 'permissions'>): readonly Section[] =>
  sectionsOf[room].filter(
    ({ may }) => may.length === 0 || may.some((permission) => org.permissions.includes(permission)),
  )

/** A section of a room, below the list of all of them. */
export const SectionsPage = ({ route }: { readonly route: SectionRoute }): ReactNode => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const offered = offeredIn(route.room, org)
  const section = route.section === undefined ? offered[0] : offered.find(({ name }) => name === route.section)
  if (section === undefined) return <ElsewherePage title="unknownTitle" text="unknownText" />
  return (
    <>
      <nav className="rooms sections" aria-label={t('sectionsLabel')}>
        {offered.map(({ name, title }) => (
          <Link
            key={name}
            to={{ room: route.room, org: org.slug, section: name, query: {} }}
            current={name === section.name}
          >
            {t(title)}
          </Link>
        ))}
      </nav>
      <section.page id={route.id} query={route.query} />
    </>
  )
}
