import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import type { ReadResult } from '../../../data/desk-api.ts'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Outcome } from '../../../parts/outcome.tsx'
import { shortTime } from '../../../parts/spans.ts'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { Copied } from '../parts/shown-once.tsx'

type Domain = ReadResult<'portal.sso.get'>['domains'][number]

const ProofFacts = ({ domain: { record, verified, verifiedAt, missingSince } }: { readonly domain: Domain }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const time = (at: string | null) => (at === null ? '' : shortTime(at, locale))
  return (
    <>
      <p>{verified ? t('connectionsVerifiedAt', { at: time(verifiedAt) }) : t('connectionsNotVerified')}</p>
      {missingSince === null ? null : <p>{t('connectionsMissing', { at: time(missingSince) })}</p>}
      <Facts>
        <Fact name={t('connectionsRecordType')}>{record.type}</Fact>
        <Fact name={t('connectionsRecordName')}>
          <Copied name={t('connectionsRecordName')} value={record.name} />
        </Fact>
        <Fact name={t('connectionsRecordValue')}>
          <Copied name={t('connectionsRecordValue')} value={record.value} />
        </Fact>
      </Facts>
    </>
  )
}

interface Props {
  readonly domain: Domain
  /** Single sign-on is required of members. */
  readonly required: boolean
}

/** A claimed domain: the record to set, a look for it, and the way to give it up. */
export const DomainItem = ({ domain, required }: Props) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const looking = useAttempt('portal.sso.get')
  const dropping = useAttempt('portal.sso.get')
  const [found, setFound] = useState(false)
  const params = { orgId: org.id, domain: domain.domain }
  const look = () =>
    looking.attempt(async () => {
      const { data } = await own.call('portal.sso.domains.verify', { params })
      setFound(data.verified && data.missingSince === null)
    })
  const drop = () => dropping.attempt(() => own.call('portal.sso.domains.drop', { params }))
  const values = { domain: domain.domain }
  return (
    <Section title={domain.domain} card>
      <ProofFacts domain={domain} />
      <Outcome
        of={looking}
        done={t(found ? 'connectionsFound' : 'connectionsNotFound', { name: domain.record.name })}
      />
      <Outcome of={dropping} />
      <Actions>
        <Button busy={looking.busy} aria-label={t('connectionsLookOf', values)} onClick={look}>
          {t(looking.busy ? 'connectionsLooking' : 'connectionsLook')}
        </Button>
        <ConfirmButton
          label={t('connectionsDrop')}
          longLabel={t('connectionsDropOf', values)}
          title={t('connectionsDropTitle', values)}
          confirm={t('connectionsDrop')}
          confirmKind="stop"
          cancel={t('connectionsCancel')}
          busy={dropping.busy}
          onConfirm={drop}
        >
          <p>{t(domain.verified ? 'connectionsDropVerified' : 'connectionsDropClaimed', values)}</p>
          {required ? <p>{t('connectionsDropRequired')}</p> : null}
        </ConfirmButton>
      </Actions>
    </Section>
  )
}
