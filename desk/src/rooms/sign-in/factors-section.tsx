import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { canUsePasskeys } from '../../browser/passkeys.ts'
import type { Factor, Factors } from '../../data/account-api.ts'
import { useLanguage } from './language.ts'

/** What takes a fresh proof. */
export type Change =
  | { readonly kind: 'app' }
  | { readonly kind: 'passkey' }
  | { readonly kind: 'codes' }
  | { readonly kind: 'remove'; readonly id: string }

interface Props {
  readonly factors: Factors
  readonly onChange: (change: Change) => void
}

const FactorItem = ({ factor, onChange }: { readonly factor: Factor } & Pick<Props, 'onChange'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { id, kind, label, createdAt, lastUsedAt } = factor
  const name = label ?? t(kind)
  return (
    <li>
      <p>
        <strong>{name}</strong>, {t('addedAt', { at: dayAndTime(createdAt, locale) })}
        {lastUsedAt === null ? null : `, ${t('usedAt', { at: dayAndTime(lastUsedAt, locale) })}`}
      </p>
      <Actions>
        <Button aria-label={t('removeOf', { what: name })} onClick={() => onChange({ kind: 'remove', id })}>
          {t('remove')}
        </Button>
      </Actions>
    </li>
  )
}

/** What is asked for beside the password. */
export const FactorsSection = ({ factors: { factors, recoveryCodes, required }, onChange }: Props) => {
  const { t } = useLanguage()
  const none = factors.length === 0
  return (
    <Section title={t('factorsTitle')}>
      {none && required ? <Notice kind="attention">{t('factorsRequired')}</Notice> : null}
      {none ? <p>{t('factorsNone')}</p> : null}
      <ul className="plain">
        {factors.map((factor) => (
          <FactorItem key={factor.id} factor={factor} onChange={onChange} />
        ))}
      </ul>
      {none ? null : <p>{t('codesLeft', { left: String(recoveryCodes.left) })}</p>}
      <Actions>
        {factors.some(({ kind }) => kind === 'totp') ? null : (
          <Button onClick={() => onChange({ kind: 'app' })}>{t('addApp')}</Button>
        )}
        {canUsePasskeys() ? <Button onClick={() => onChange({ kind: 'passkey' })}>{t('addPasskey')}</Button> : null}
        {none ? null : <Button onClick={() => onChange({ kind: 'codes' })}>{t('newCodes')}</Button>}
      </Actions>
    </Section>
  )
}
