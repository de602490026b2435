import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { WordsField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { utcTime } from './times.ts'

type Request = ReadResult<'accessRequests.list'>['items'][number]
/** Does it, and says these words once it is done. */
export type Decide = (act: () => Promise<unknown>, words: string) => void

interface Props {
  readonly request: Request
  readonly busy: boolean
  readonly decide: Decide
}

const About = ({ request }: Pick<Props, 'request'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { name, email, country, sessionsPerMonth, message, status, createdAt, decidedAt, decidedBy, invitation } =
    request
  const countries = new Intl.DisplayNames(locale, { type: 'region' })
  const when = (at: string) => `${utcTime(at, locale)} UTC`
  return (
    <>
      <Facts>
        <Fact name={t('businessAskedBy')}>
          <bdi>{name}</bdi> · {email}
        </Fact>
        <Fact name={t('businessAskedFrom')}>{countries.of(country) ?? country}</Fact>
        {sessionsPerMonth === null ? null : <Fact name={t('businessAskedFor')}>{sessionsPerMonth}</Fact>}
        <Fact name={t('businessAskedAt')}>{when(createdAt)}</Fact>
        <Fact name={t('columnState')}>
          {t(`businessAccess.${status}`)}
          {decidedAt === null ? null : ` · ${when(decidedAt)} · ${decidedBy ?? ''}`}
        </Fact>
        {invitation === null ? null : (
          <Fact name={t('businessOwnerLink')}>
            {t(`businessOwnerLink.${invitation.status}`)} ·{' '}
            {t('businessOwnerUntil', { at: when(invitation.expiresAt) })}
          </Fact>
        )}
      </Facts>
      {message === null ? null : (
        <blockquote className="written">
          <p>{message}</p>
        </blockquote>
      )}
    </>
  )
}

/** Both decisions write to whoever asked, and neither can be taken back. */
const Decisions = ({ request: { id, organisation, email }, busy, decide }: Props) => {
  const { t } = useLanguage()
  const { own, person, pageMemory } = useDesk()
  const draft = useDraft(`decline ${person.user.id} ${id}`, { message: '' }, pageMemory)
  const message = draft.words.message.trim()
  const approve = () =>
    decide(() => own.call('accessRequests.approve', { params: { id } }), t('businessApproved', { organisation, email }))
  const decline = () =>
    decide(
      async () => {
        const body = message === '' ? {} : { message }
        await own.call('accessRequests.decline', { params: { id }, body, idempotencyKey: draft.once() })
        draft.clear()
      },
      t('businessDeclined', { organisation, email }),
    )
  return (
    <>
      <WordsField
        name="message"
        label={t('businessDeclineReason')}
        help={t('businessDeclineHelp', { email })}
        value={draft.words.message}
        onChange={(value) => draft.change({ message: value })}
        optional
        maxLength={2000}
      />
      <Actions>
        <ConfirmButton
          label={t('businessApprove')}
          longLabel={t('businessApproveOf', { organisation })}
          kind="main"
          title={t('businessApproveOf', { organisation })}
          confirm={t('businessApprove')}
          confirmKind="main"
          cancel={t('businessNotNow')}
          busy={busy}
          onConfirm={approve}
        >
          <p>{t('businessApproveMeans', { organisation, email })}</p>
        </ConfirmButton>
        <ConfirmButton
          label={t('businessDecline')}
          longLabel={t('businessDeclineOf', { organisation })}
          title={t('businessDeclineOf', { organisation })}
          confirm={t('businessDecline')}
          confirmKind="stop"
          cancel={t('businessNotNow')}
          busy={busy}
          onConfirm={decline}
        >
          <p>{t(message === '' ? 'businessDeclineMeans' : 'businessDeclineMeansWith', { email })}</p>
        </ConfirmButton>
      </Actions>
    </>
  )
}

const Resend = ({ request: { id, organisation, email }, busy, decide }: Props) => {
  const { t } = useLanguage()
  const { own } = useDesk()
  const resend = () =>
    decide(() => own.call('accessRequests.resendInvite', { params: { id } }), t('businessResent', { email }))
  return (
    <Actions>
      <ConfirmButton
        label={t('businessResend')}
        longLabel={t('businessResendOf', { organisation })}
        title={t('businessResendOf', { organisation })}
        confirm={t('businessResend')}
        cancel={t('businessNotNow')}
        busy={busy}
        onConfirm={resend}
      >
        <p>{t('businessResendMeans', { email })}</p>
      </ConfirmButton>
    </Actions>
  )
}

/** One who asked for an organisation, and what can be decided about it. */
export const AccessRequest = (props: Props) => {
  const { organisation, status, orgId } = props.request
  return (
    <Section title={organisation}>
      <About request={props.request} />
      {status === 'pending' ? <Decisions {...props} /> : null}
      {status === 'approved' && orgId === null ? <Resend {...props} /> : null}
    </Section>
  )
}
