import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useEffect, useId, useRef, useState } from 'react'
import { isOpenRequest, type OwnMoment } from '../../session/requests-api.ts'
import type { KeptProps } from './kept-props.ts'
import { useLanguage } from './language.ts'
import { MomentForm, type MomentWords } from './moment-form.tsx'
import type { SubmitResult } from './wish-form.tsx'

/** Words are wanted about a moment. Each wish is an object of its own, so that it may be said again. */
export interface WantedWords {
  readonly momentId: string
}

export interface Words {
  readonly requestId: string
  readonly at: string
  readonly text: string
}

interface Props extends KeptProps {
  readonly moment: OwnMoment
  readonly about: string
  readonly words: readonly Words[]
  /** Where it is about this moment. */
  readonly wanted: WantedWords | undefined
}

/** Words that wait to be read; those that were begun meanwhile are not lost. */
const Waiting = ({ unsent }: { readonly unsent: string | undefined }) => {
  const { t } = useLanguage()
  return (
    <>
      <p className="small">{t('momentsWait')}</p>
      {unsent === undefined ? null : (
        <>
          <p>{t('momentsUnsent')}</p>
          <blockquote className="written">{unsent}</blockquote>
        </>
      )}
    </>
  )
}

/** Words that wait to be read, or a button that opens a field for some. */
export const Say = ({ moment, about, words, wanted, ...props }: Props) => {
  const { t } = useLanguage()
  const draft = useDraft<MomentWords>(`moment ${moment.id}`, { text: '' })
  const [isOpen, setOpen] = useState(!draft.isEmpty)
  const [asks, setAsks] = useState(0)
  const [result, setResult] = useState<SubmitResult>()
  const form = useId()
  const [status, waiting] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)]
  const { requests } = props.facts
  const waits = words.some(({ requestId }) =>
    requests.some((request) => request.id === requestId && isOpenRequest(request)),
  )
  const open = () => {
    setAsks(asks + 1)
    setOpen(true)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each wish once, however the page changes afterwards
  useEffect(() => {
    if (!wanted) return
    open()
    waiting.current?.focus()
  }, [wanted])
  const onResult = async (sent: SubmitResult) => {
    await props.visit.refresh()
    setResult(sent)
    setOpen(false)
    status.current?.focus()
  }
  return (
    <>
      <div role="status" ref={status} tabIndex={-1}>
        {result ? <Notice>{t(result === 'sent' ? 'momentsSent' : 'momentsNotNew')}</Notice> : null}
      </div>
      {waits ? (
        <div ref={waiting} tabIndex={-1}>
          <Waiting unsent={draft.isEmpty ? undefined : draft.words.text} />
        </div>
      ) : (
        <>
          <Actions>
            <Button
              aria-expanded={isOpen}
              aria-controls={form}
              aria-describedby={about}
              onClick={() => (isOpen ? setOpen(false) : open())}
            >
              {t('momentsSay')}
            </Button>
          </Actions>
          <div id={form}>
            {isOpen ? <MomentForm {...props} {...{ draft, asks, onResult }} momentId={moment.id} /> : null}
          </div>
        </>
      )}
    </>
  )
}
