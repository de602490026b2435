import { Notice } from '@integrity/shared-ui/web/shell'
import { useLanguage } from '../../../parts/language.ts'
import { ShownOnce } from '../parts/shown-once.tsx'
import { addressesOf } from './ats-words.ts'
import { InboundAddresses } from './inbound-addresses.tsx'

interface Props {
  readonly of: { readonly inboundUrl: string; readonly inboundSecret: string }
  /** What the provider said when it was tried, where that was not all. */
  readonly problem: string | null
  readonly onSeen: () => void
}

/** What the provider's webhook, or whoever calls, is to be given: the secret this once. */
export const InboundSecret = ({ of: { inboundUrl, inboundSecret }, problem, onSeen }: Props) => {
  const { t } = useLanguage()
  const isCalled = addressesOf(inboundUrl) !== undefined
  return (
    <>
      {problem === null ? null : <Notice kind="attention">{t('connectionsProblem', { words: problem })}</Notice>}
      <p>{t(isCalled ? 'connectionsAssessmentUrls' : 'connectionsInboundUrl')}:</p>
      <InboundAddresses inboundUrl={inboundUrl} />
      <ShownOnce
        name={t(isCalled ? 'connectionsAssessmentKey' : 'connectionsInboundSecret')}
        value={inboundSecret}
        onSeen={onSeen}
      />
    </>
  )
}
