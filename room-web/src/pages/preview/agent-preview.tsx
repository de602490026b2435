import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { Shell } from '@integrity/shared-ui/web/shell'
import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'
import { WhoAsks } from '@integrity/shared-ui/web/who-asks'
import { type WindowText, windowLanguages } from '../../texts/preview-window.ts'
import { InLanguage } from './in-language.tsx'
import type { PreviewProps } from './preview-props.ts'

const useLanguage: () => Spoken<WindowText> = useSpoken

const Window = ({ brand }: Pick<PreviewProps, 'brand'>) => {
  const { t } = useLanguage()
  const name = (
    <>
      <span>{t('productName')}</span>
      <span className="org">{brand.name}</span>
    </>
  )
  return (
    <Shell name={name} brand={brand} footer={<HelpLine contact={brand.contact} />}>
      <WhoAsks
        title={t('whoTitle')}
        asks={t('whoAsks', { org: brand.name })}
        brand={brand}
        rows={[
          [t('whoOrg'), brand.name],
          [t('whoServer'), location.origin],
        ]}
        about={[
          [t('whoIs'), t('whoIsText')],
          [t('whoIsNot'), t('whoIsNotText')],
        ]}
        next={t('whoNext')}
        onNext={() => undefined}
      />
    </Shell>
  )
}

/** The first page of the application’s window, by the part that the window draws it with. */
export const AgentPreview = ({ shown, brand }: PreviewProps) => (
  <InLanguage languages={windowLanguages} code={shown.language}>
    <Window brand={brand} />
  </InLanguage>
)
