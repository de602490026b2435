import { Notice } from '@integrity/shared-ui/web/shell'
import { useLanguage } from '../../../parts/language.ts'
import { Copied, ShownOnce } from '../parts/shown-once.tsx'

interface Props {
  readonly of: { readonly inboundUrl: string; readonly inboundSecret: string }
  /** What the provider said when it was tried, where that was not all. */
  readonly problem: string | null
  readonly onSeen: () => void
}

/** What the provider's webhook is to be given, the secret this once. */
export const InboundSecret = ({ of: { inboundUrl, inboundSecret }, problem, onSeen }: Props) => {
  const { t } = useLanguage()
  return (
    <>
      {problem === null ? null : <Notice kind="attention">{t('connectionsProblem', { words: problem })}</Notice>}
      <p>
        {t('connectionsInboundUrl')}: <Copied name={t('connectionsInboundUrl')} value={inboundUrl} />
      </p>
      <ShownOnce name={t('connectionsInboundSecret')} value={inboundSecret} onSeen={onSeen} />
    </>
  )
}
