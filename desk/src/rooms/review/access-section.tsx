import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'

type Access = ReadResult<'portal.sessions.accessLog'>['items'][number]

const Line = ({ access }: { readonly access: Access }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { who, what, at, firstAt, objects } = access
  const time = firstAt
    ? t('accessSpan', { from: shortTime(firstAt, locale), to: shortTime(at, locale) })
    : shortTime(at, locale)
  return (
    <li>
      <span>
        {time}: <bdi>{who.name ?? who.id}</bdi>
      </span>{' '}
      <code>{what}</code>
      {objects === undefined ? null : <span className="small"> {t('accessItems', { objects })}</span>}
    </li>
  )
}

interface PageProps {
  readonly id: string
  readonly cursor: string | undefined
}

/** One page; the next one is below it when it is asked for. */
const Lines = ({ id, cursor }: PageProps) => {
  const { t } = useLanguage()
  const [more, setMore] = useState(false)
  const query = { limit: 20, ...(cursor === undefined ? {} : { cursor }) }
  const page = useEndpoint('portal.sessions.accessLog', { params: { id }, query })
  return (
    <Loaded question={page}>
      {({ items, nextCursor }) => (
        <>
          {items.length === 0 ? <p>{t('accessNone')}</p> : null}
          <ul className="plain rows">
            {items.map((access) => (
              <Line key={access.seq} access={access} />
            ))}
          </ul>
          {nextCursor !== null && !more ? (
            <Actions>
              <Button onClick={() => setMore(true)}>{t('accessMore')}</Button>
            </Actions>
          ) : null}
          {nextCursor !== null && more ? <Lines id={id} cursor={nextCursor} /> : null}
        </>
      )}
    </Loaded>
  )
}

/** Who has looked at what of an interview, or taken it along. The candidate reads the same. */
export const AccessSection = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const [open, setOpen] = useState(false)
  return (
    <Section title={t('accessTitle')}>
      <p>{t('accessText')}</p>
      {open ? (
        <Lines id={id} cursor={undefined} />
      ) : (
        <Actions>
          <Button onClick={() => setOpen(true)}>{t('accessShow')}</Button>
        </Actions>
      )}
    </Section>
  )
}
