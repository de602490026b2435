import { sizeWords } from '@integrity/protocol/clients/size-words'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { LineField } from '@integrity/shared-ui/web/fields'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useLanguage } from './people-language.tsx'

/** What came of the latest sweep, all its calls together. */
export const LastSweep = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const sweep = useEndpoint('portal.retention.sweep', { params: { orgId: org.id } })
  return (
    <Loaded question={sweep}>
      {({ state, startedAt, updatedAt, erasedSessions, erasedObjects, erasedBytes, heldSessions, remaining, note }) =>
        state === 'none' || startedAt === null ? (
          <p>{t('peopleNoSweep')}</p>
        ) : (
          <Facts>
            <Fact name={t('peopleSweepState')}>{t(`peopleSweep.${state}`)}</Fact>
            <Fact name={t('peopleSweepTime')}>
              {shortTime(startedAt, locale)} – {shortTime(updatedAt ?? startedAt, locale)}
            </Fact>
            <Fact name={t('peopleSwept')}>
              {t('peopleSweptSum', {
                sessions: erasedSessions,
                objects: erasedObjects,
                size: sizeWords(erasedBytes, locale),
              })}
            </Fact>
            <Fact name={t('peopleSweepLeft')}>
              {t('peopleSweepLeftSum', { held: heldSessions, objects: remaining })}
            </Fact>
            {note === null ? null : (
              <Fact name={t('peopleSweepWhy')}>
                <span lang="en">{note}</span>
              </Fact>
            )}
          </Facts>
        )
      }
    </Loaded>
  )
}

const changes = [
  'portal.retention.preview',
  'portal.retention.sweep',
  'portal.sessions.list',
  'sessions.detail',
] as const

/** `typed`: the number of interviews that whoever deletes has been shown, which has to be that of now. */
const useSweeping = () => {
  const { t } = useLanguage()
  const { org, own } = useDesk()
  const [typed, setTyped] = useState('')
  const acting = useAttempt(...changes)
  const params = { orgId: org.id }
  const query = { days: 0, limit: 1 }
  const run = async () => {
    let [sessions, objects] = [0, 0]
    for (let state = 'more'; state === 'more'; ) {
      const { data } = await own.call('portal.retention.run', { params, body: {} })
      sessions += data.erasedSessions
      objects += data.erasedObjects
      // What a call could not erase, another cannot either.
      state = data.erasedObjects === 0 && data.erasedSessions === 0 ? 'completed' : data.state
    }
    return { sessions, objects }
  }
  const sweep = () =>
    acting.attempt(async () => {
      const now = (await own.call('portal.retention.preview', { params, query })).data.totals.sessions
      if (String(now) !== typed.trim()) return t('peopleSweepChanged', { n: now })
      const done = await run()
      setTyped('')
      return t('peopleSweepDone', done)
    })
  const due = useEndpoint('portal.retention.preview', { params, query })
  return { due, typed, setTyped, acting, sweep }
}

type Sweeping = ReturnType<typeof useSweeping>

const NumberForm = ({ sweeping, sessions }: { readonly sweeping: Sweeping; readonly sessions: number }) => {
  const { t } = useLanguage()
  const { typed, setTyped, acting, sweep } = sweeping
  const [wrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isWrong = typed.trim() !== String(sessions)
    setWrong(isWrong)
    if (!isWrong) sweep()
  }
  return (
    <form noValidate onSubmit={submit}>
      <LineField
        name="number"
        label={t('peopleSweepNumber', { n: sessions })}
        value={typed}
        onChange={setTyped}
        error={wrong ? t('peopleSweepNumberWrong', { n: sessions }) : undefined}
        maxLength={9}
      />
      <Actions>
        <Button type="submit" kind="stop" busy={acting.busy}>
          {t(acting.busy ? 'sending' : 'peopleSweepNow')}
        </Button>
      </Actions>
    </form>
  )
}

/** Deletes what is due, once its number is typed. */
export const SweepForm = () => {
  const { t } = useLanguage()
  const sweeping = useSweeping()
  return (
    <Loaded question={sweeping.due}>
      {({ totals: { sessions, objects, held } }) => (
        <>
          <p>
            {sessions === 0
              ? t('peopleNothingToSweep', { held: held.sessions })
              : t('peopleSweepText', { sessions, objects, held: held.sessions })}
          </p>
          <Outcome of={sweeping.acting} />
          {sessions === 0 ? null : <NumberForm sweeping={sweeping} sessions={sessions} />}
        </>
      )}
    </Loaded>
  )
}
