import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { useId } from 'react'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Outcome } from '../../../parts/outcome.tsx'
import { useAttempt } from '../../../parts/use-attempt.ts'
import type { Branding } from './brand-words.ts'

interface Props {
  readonly logo: Branding['resolved']['logo']
  /** What was chosen and is not saved yet: a `data:` address. */
  readonly picture: string | undefined
  readonly onPicture: (picture: string | undefined) => void
}

const readPicture = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

const useLogo = ({ picture, onPicture }: Props) => {
  const { own, org } = useDesk()
  const attempt = useAttempt('portal.branding.get')
  const params = { orgId: org.id }
  const set = () =>
    attempt.attempt(async () => {
      const [about = '', data = ''] = (picture ?? '').split(',')
      // Which kinds are taken is the service's to say.
      const contentType = about.replace(/^data:|;.*$/g, '') as 'image/png'
      await own.call('portal.branding.logo.set', { params, body: { contentType, data } })
      onPicture(undefined)
    })
  const remove = () => attempt.attempt(() => own.call('portal.branding.logo.remove', { params }))
  return { attempt, set, remove }
}

/** The logo: chosen, seen in the previews, then saved. */
export const LogoSection = (props: Props) => {
  const { t } = useLanguage()
  const id = useId()
  const { attempt, set, remove } = useLogo(props)
  const { logo, picture, onPicture } = props
  const choose = ({ target }: { readonly target: HTMLInputElement }) => {
    const file = target.files?.[0]
    if (file) readPicture(file).then(onPicture, () => onPicture(undefined))
  }
  return (
    <Section title={t('connectionsLogo')}>
      <p id={`${id}help`}>
        {t(logo ? 'connectionsLogoIs' : 'connectionsNoLogo', { width: logo?.width ?? 0, height: logo?.height ?? 0 })}
      </p>
      <div className="field">
        <label htmlFor={id}>{t('connectionsLogoFile')}</label>
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby={`${id}help`}
          onChange={choose}
        />
      </div>
      <Outcome of={attempt} done={t('connectionsBrandSaved')} />
      <Actions>
        {picture === undefined ? null : (
          <Button kind="main" busy={attempt.busy} onClick={set}>
            {t('connectionsLogoSave')}
          </Button>
        )}
        {logo ? (
          <ConfirmButton
            label={t('connectionsLogoRemove')}
            title={t('connectionsLogoRemoveTitle')}
            confirm={t('connectionsLogoRemove')}
            confirmKind="stop"
            cancel={t('connectionsCancel')}
            busy={attempt.busy}
            onConfirm={remove}
          >
            {t('connectionsLogoRemoveText')}
          </ConfirmButton>
        ) : null}
      </Actions>
    </Section>
  )
}
