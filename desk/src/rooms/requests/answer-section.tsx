import { sizeWords } from '@integrity/protocol/clients/size-words'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { focusField, WordsField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { type FormEvent, useRef, useState } from 'react'
import { useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { type Preview, type RequestItem, sumOf } from './request-names.ts'
import { type Answer, useAnswer } from './use-answer.ts'

interface Props {
  readonly request: RequestItem
  /** What an approval is about; undefined where nothing is to be approved, or while it is not known. */
  readonly preview: Preview | undefined
}

interface ActsProps extends Props {
  readonly answer: Answer
  /** Whether there are words; where not, it says that they are missing. */
  readonly hasWords: () => boolean
}

const Approve = ({ preview, answer }: { readonly preview: Preview; readonly answer: Answer }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { n, bytes } = sumOf(preview)
  const about = { n, size: sizeWords(bytes, locale) }
  const names = preview.kind === 'erasure' ? 'requestsApproveErasure' : 'requestsApproveCopy'
  return (
    <ConfirmButton
      label={t(names)}
      kind={preview.kind === 'erasure' ? 'stop' : 'main'}
      title={t(`${names}Title`)}
      confirm={t('requestsApproveYes')}
      confirmKind={preview.kind === 'erasure' ? 'stop' : 'main'}
      cancel={t('requestsBackOut')}
      busy={answer.busy}
      onConfirm={answer.approve}
    >
      <p>{t(`${names}Text`, about)}</p>
    </ConfirmButton>
  )
}

/** What is agreed to before the interview, which gives out and deletes nothing. */
const agreed = { aids: 'requestsAgreeAids', accommodation: 'requestsAgreeNeed' } as const

const Agree = ({ kind, answer }: { readonly kind: keyof typeof agreed; readonly answer: Answer }) => {
  const { t } = useLanguage()
  const names = agreed[kind]
  return (
    <ConfirmButton
      label={t(names)}
      kind="main"
      title={t(`${names}Title`)}
      confirm={t('requestsAgreeYes')}
      confirmKind="main"
      cancel={t('requestsBackOut')}
      busy={answer.busy}
      onConfirm={answer.approve}
    >
      <p>{t(`${names}Text`)}</p>
    </ConfirmButton>
  )
}

const isHindered = ({ kind, state, legalHold }: Preview): boolean =>
  kind === 'erasure' && (state === 'live' || legalHold)

/** The ends that a request can come to. */
const Ends = ({ request: { kind }, preview, answer, hasWords }: ActsProps) => {
  const { t } = useLanguage()
  if (kind === 'context_statement')
    return (
      <Button kind="main" busy={answer.busy} onClick={answer.complete}>
        {t('requestsRead')}
      </Button>
    )
  return (
    <>
      {preview && !isHindered(preview) ? <Approve preview={preview} answer={answer} /> : null}
      {kind === 'aids' || kind === 'accommodation' ? <Agree kind={kind} answer={answer} /> : null}
      <ConfirmButton
        label={t('requestsDecline')}
        title={t('requestsDeclineTitle')}
        confirm={t('requestsDeclineYes')}
        cancel={t('requestsBackOut')}
        busy={answer.busy}
        before={hasWords}
        onConfirm={answer.decline}
      >
        <p>{t('requestsDeclineText')}</p>
      </ConfirmButton>
    </>
  )
}

const Acts = (props: ActsProps) => {
  const { t } = useLanguage()
  const { request, answer } = props
  return (
    <Actions>
      <Button type="submit" busy={answer.busy}>
        {t(answer.busy ? 'sending' : 'requestsSend')}
      </Button>
      {request.status === 'received' ? (
        <Button busy={answer.busy} onClick={answer.acknowledge}>
          {t('requestsSee')}
        </Button>
      ) : null}
      {request.decidedAt === null ? <Ends {...props} /> : null}
    </Actions>
  )
}

const AnswerForm = ({ request, preview }: Props) => {
  const { t } = useLanguage()
  const answer = useAnswer(request)
  const { draft, sent, problem } = answer
  const [missing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const hasWords = () => {
    const has = draft.words.text.trim() !== ''
    setMissing(!has)
    if (!has && form.current) focusField(form.current, 'text')
    return has
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (hasWords()) answer.respond()
  }
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <WordsField
        name="text"
        label={t('requestsAnswerLabel')}
        help={t('requestsAnswerHelp')}
        value={draft.words.text}
        onChange={(text) => draft.change({ text })}
        error={missing ? t('requestsAnswerMissing') : undefined}
        maxLength={10_000}
      />
      <p role="status">{sent ? t('requestsSent') : null}</p>
      <SendProblemNotice problem={problem} conflict={t('requestsConflict')} />
      <Acts {...{ request, preview, answer, hasWords }} />
    </form>
  )
}

/** For whoever signs reports and answers no candidates. */
const ReadForm = ({ request }: Pick<Props, 'request'>) => {
  const { t } = useLanguage()
  const { busy, problem, complete } = useAnswer(request)
  return (
    <>
      <p>{t('requestsMayNot')}</p>
      <SendProblemNotice problem={problem} conflict={t('requestsConflict')} />
      {request.decidedAt === null ? (
        <Actions>
          <Button kind="main" busy={busy} onClick={complete}>
            {t('requestsRead')}
          </Button>
        </Actions>
      ) : null}
    </>
  )
}

/** Where somebody writes to the candidate and decides. */
export const AnswerSection = ({ request, preview }: Props) => {
  const { t } = useLanguage()
  const writes = useMay('candidate_request.manage')
  return (
    <Section title={t('requestsAnswerTitle')}>
      {writes ? <AnswerForm request={request} preview={preview} /> : <ReadForm request={request} />}
    </Section>
  )
}
