import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useState } from 'react'
import { useLanguage } from '../../parts/language.ts'

/** Hours for which the present secret may sign beside the new one. */
const overlaps = ['0', '1', '24', '72'] as const

interface Props {
  readonly busy: boolean
  readonly onRotate: (overlapHours: number) => void
}

/** A new signing secret, after a question that says what the receiver will see. */
export const RotateSecret = ({ busy, onRotate }: Props) => {
  const { t } = useLanguage()
  const [overlap, setOverlap] = useState('0')
  return (
    <ConfirmButton
      label={t('developersSecretRotate')}
      title={t('developersSecretRotateTitle')}
      confirm={t('developersSecretRotateYes')}
      confirmKind="stop"
      cancel={t('developersCancel')}
      busy={busy}
      onConfirm={() => onRotate(Number(overlap))}
    >
      <SelectField
        label={t('developersOverlap')}
        value={overlap}
        onChange={setOverlap}
        options={overlaps.map((hours) => ({
          id: hours,
          label: hours === '0' ? t('developersOverlapNone') : t('developersOverlapHours', { n: Number(hours) }),
        }))}
      />
      <p>
        {overlap === '0' ? t('developersSecretRotateText') : t('developersSecretOverlapText', { n: Number(overlap) })}
      </p>
    </ConfirmButton>
  )
}
