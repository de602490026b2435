import { Actions, Button } from '@integrity/shared-ui/web/button'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useEffect } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useWrite } from '../../parts/use-write.ts'

type Film = ReadResult<'portal.compositions.list'>['items'][number]

/** While it is made, how far it has come is asked for this often. */
const lookMs = 2000

interface Props {
  readonly id: string
  readonly mayExport: boolean
}

const Made = ({ id, film, mayExport }: Props & { readonly film: Film }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { fileAddress } = useDesk()
  if (film.finishedAt === null || film.expiresAt === null) return null
  const params = { id, compositionId: film.id }
  return (
    <p>
      {t('filmMade', { at: shortTime(film.finishedAt, locale), until: shortTime(film.expiresAt, locale) })}{' '}
      {mayExport ? (
        <a href={fileAddress('portal.compositions.content', { params })} download>
          {t('filmSave')}
        </a>
      ) : null}
    </p>
  )
}

const FilmState = ({ id, film, mayExport, again }: Props & { readonly film: Film; readonly again: () => void }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { own } = useDesk()
  const { busy, problem, write } = useWrite('portal.compositions.list')
  const isMaking = film.status === 'queued' || film.status === 'rendering'
  useEffect(() => {
    if (!isMaking) return
    const timer = setInterval(again, lookMs)
    return () => clearInterval(timer)
  }, [isMaking, again])
  const make = () =>
    write(() => own.call('portal.compositions.render', { params: { id, compositionId: film.id }, body: {} }))
  const percent = film.progress.toLocaleString(locale, { style: 'percent' })
  return (
    <>
      <p role="status">
        {t(`filmStatus.${film.status}`, { percent })} {film.stale ? t('filmStale') : null}
      </p>
      {isMaking ? <progress value={film.progress} max={1} aria-label={t('filmTitle')} /> : null}
      {film.failure ? <p>{film.failure}</p> : null}
      <Made id={id} film={film} mayExport={mayExport} />
      <SendProblemNotice problem={problem} />
      {mayExport && !isMaking && film.status !== 'erased' ? (
        <Actions>
          <Button busy={busy} onClick={make}>
            {t('filmMake')}
          </Button>
        </Actions>
      ) : null}
    </>
  )
}

/** The film of an interview: made when somebody asks, kept for a week. */
export const FilmPart = ({ id, mayExport }: Props) => {
  const { t } = useLanguage()
  const films = useEndpoint('portal.compositions.list', { params: { id } })
  return (
    <>
      <h3>{t('filmTitle')}</h3>
      <p>{t('filmText')}</p>
      <Loaded question={films}>
        {({ items }) =>
          items.map((film) => <FilmState key={film.id} id={id} film={film} mayExport={mayExport} again={films.again} />)
        }
      </Loaded>
    </>
  )
}
