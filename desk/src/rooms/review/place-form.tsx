import { playTime, type Range } from '@integrity/shared-ui/player/range'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { useEffect, useRef } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import type { MarkedPlace } from '../../player-ui/marked-places.tsx'
import type { Panel } from '../../player-ui/use-commands.ts'
import { ExplainForm } from './explain-form.tsx'
import { RemarkForm } from './remark-form.tsx'
import type { KeptPlace } from './use-kept-place.ts'

interface Props {
  readonly id: string
  readonly panel: Panel
  readonly range: Range
  readonly moments: readonly MarkedPlace[]
  readonly place: KeptPlace
  readonly done: () => void
}

/** A note at a place, or over a range: its words then begin with it, as a note has one place. */
const PlaceNote = ({ id, panel, range, place, done }: Omit<Props, 'moments'>) => {
  const { atMs } = panel
  const { fromMs, toMs } = range
  const { t } = useLanguage()
  const { own } = useDesk()
  const writing = useWrite('portal.notes.list', 'portal.report', 'portal.reelIndex.get')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what the form was opened for
  useEffect(() => place.keep({ panel, range }), [])
  const span =
    fromMs === undefined || toMs === undefined
      ? undefined
      : t('playerNoteRange', { from: playTime(fromMs), to: playTime(toMs) })
  return (
    <RemarkForm
      about={`${id} at a place`}
      label={t('playerNoteAt', { at: span ?? playTime(atMs) })}
      help={t('noteHelp')}
      button={t('playerNoteSave')}
      writing={writing}
      onWords={async (words, idempotencyKey) => {
        const text = span === undefined ? words : `${span}: ${words}`
        const body = { text, anchor: { atMs: span === undefined ? atMs : (fromMs ?? atMs) } }
        await own.call('portal.notes.add', { params: { id }, body, idempotencyKey })
        done()
      }}
    />
  )
}

/** What is written about the place at which the player is. */
export const PlaceForm = ({ id, panel, range, moments, place, done }: Props) => {
  const { t } = useLanguage()
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const moment = panel.kind === 'explain' ? moments.find((one) => one.id === panel.momentId) : undefined
  return (
    <div ref={form}>
      {moment ? (
        <>
          <p>
            {t('playerExplainOpen', { at: playTime(moment.atMs) })}: <span lang={moment.lang}>{moment.text}</span>
          </p>
          <ExplainForm id={id} momentId={moment.id} done={done} />
        </>
      ) : (
        <PlaceNote {...{ id, panel, range, place, done }} />
      )}
      <Actions>
        <Button onClick={done}>{t('playerClose')}</Button>
      </Actions>
    </div>
  )
}
