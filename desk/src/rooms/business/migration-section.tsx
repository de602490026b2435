import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useWrite, type Write } from '../../parts/use-write.ts'
import { utcTime } from './times.ts'

type Migration = ReadResult<'portal.storage.migration'>
type Run = Pick<Migration, 'state' | 'moved' | 'remaining' | 'failed'>

/** So many objects are moved by one call. */
const step = 100

interface Moving extends Pick<Write, 'busy' | 'problem'> {
  /** What was done since it was begun here. */
  readonly run: Run | undefined
  readonly begin: () => void
  readonly stop: () => void
}

/** Calls until nothing is left, nothing can be moved any more, or somebody stops it or leaves the page. */
const useMoving = (): Moving => {
  const { own, org } = useDesk()
  const [run, setRun] = useState<Run>()
  const stopped = useRef(false)
  const { busy, problem, write } = useWrite('portal.storage.migration', 'portal.storage.get')
  const stop = useCallback(() => {
    stopped.current = true
  }, [])
  useEffect(() => stop, [stop])
  const move = async () => {
    stopped.current = false
    let moved = 0
    while (!stopped.current) {
      const input = { params: { orgId: org.id }, body: { maxObjects: step }, timeoutMs: 120_000 }
      const { data } = await own.call('portal.storage.migrate', input)
      moved += data.moved
      setRun({ ...data, moved })
      if (data.state !== 'running' || data.moved === 0) return
    }
  }
  return { busy, problem, run, begin: () => write(move), stop }
}

const Failed = ({ failed }: Pick<Run, 'failed'>) => {
  const { t } = useLanguage()
  if (failed.length === 0) return null
  return (
    <>
      <p>{t('businessMoveFailed', { count: failed.length })}</p>
      <ul>
        {failed.map(({ object, message }) => (
          <li key={object}>
            <code>{object}</code>: <span lang="en">{message}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

const Progress = ({ run: { state, moved, remaining, failed } }: { readonly run: Run }) => {
  const { t } = useLanguage()
  return (
    <>
      <p role="status">{t(`businessMove.${state}`, { moved, remaining })}</p>
      {state === 'running' ? (
        <progress aria-label={t('businessMoveTitle')} max={moved + remaining} value={moved} />
      ) : null}
      <Failed failed={failed} />
    </>
  )
}

const Latest = ({ migration }: { readonly migration: Migration }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <>
      <Progress run={migration} />
      {migration.updatedAt === null ? null : (
        <p className="small">{t('businessMoveAt', { at: utcTime(migration.updatedAt, locale) })}</p>
      )}
    </>
  )
}

/** Moves what lies elsewhere to the storage in use, and says how far it is. */
export const MigrationSection = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const migration = useEndpoint('portal.storage.migration', { params: { orgId: org.id } })
  const { busy, problem, run, begin, stop } = useMoving()
  return (
    <Section title={t('businessMoveTitle')}>
      <p>{t('businessMoveText')}</p>
      {run ? <Progress run={run} /> : <Loaded question={migration}>{(found) => <Latest migration={found} />}</Loaded>}
      <SendProblemNotice problem={problem} conflict={t('businessMoving')} />
      <Actions>
        <ConfirmButton
          label={t(busy ? 'businessMoveBusy' : 'businessMoveBegin')}
          title={t('businessMoveAsk')}
          confirm={t('businessMoveYes')}
          confirmKind="main"
          cancel={t('businessNotNow')}
          busy={busy}
          onConfirm={begin}
        >
          <p>{t('businessMoveMeans', { step })}</p>
        </ConfirmButton>
        {busy ? <Button onClick={stop}>{t('businessMoveStop')}</Button> : null}
      </Actions>
    </Section>
  )
}
