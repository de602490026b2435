import type { Scheme } from '@integrity/protocol/clients/tokens'
import { previewedPlaces } from '@integrity/shared-ui/session/brand-preview'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { type ReactNode, useState } from 'react'
import { useLanguage } from '../../../parts/language.ts'
import type { BrandWords } from './brand-words.ts'
import { ScreenFrame, useUsualDocument } from './screen-frame.tsx'
import { LetterFrame, PaperFrame } from './service-frames.tsx'
import { typedOrg } from './typed-brand.ts'

interface Props {
  readonly words: BrandWords
  readonly name: string
  /** An address of this service or a picture as a whole. */
  readonly logo: string | undefined
}

type Place = (typeof previewedPlaces)[number] | 'letter' | 'pdf'

/** One place with its name, and what it is that is shown. */
const Shown = ({ place, children }: { readonly place: Place; readonly children: ReactNode }) => {
  const { t } = useLanguage()
  return (
    <figure data-preview={place}>
      <figcaption>
        <strong>{t(`connectionsPlace.${place}`)}</strong>
        <br />
        <span className="small">{t(`connectionsDrawn.${place}`)}</span>
      </figcaption>
      {children}
    </figure>
  )
}

/** Where candidates see the brand, with what is typed, before anything is saved. */
export const Previews = ({ words, name, logo }: Props) => {
  const { t } = useLanguage()
  const [scheme, setScheme] = useState<Scheme>('light')
  const schemes = (['light', 'dark'] as const).map((id) => ({ id, label: t(`connectionsScheme.${id}`) }))
  const document = useUsualDocument()
  const org = typedOrg({ words, name, logo })
  const screen = { scheme, org }
  return (
    <Section title={t('connectionsPreview')}>
      <p>{t('connectionsPreviewText')}</p>
      <SelectField
        label={t('connectionsScheme')}
        value={scheme}
        options={schemes}
        onChange={(id) => setScheme(id === 'dark' ? 'dark' : 'light')}
      />
      <div className="brand-previews">
        {previewedPlaces.map((place) => (
          <Shown key={place} place={place}>
            {document ? (
              <ScreenFrame place={place} title={t(`connectionsPlace.${place}`)} document={document} {...screen} />
            ) : (
              <p role="status">{t('loading')}</p>
            )}
          </Shown>
        ))}
        <Shown place="letter">
          <LetterFrame words={words} title={t('connectionsPlace.letter')} />
        </Shown>
        <Shown place="pdf">
          <PaperFrame words={words} title={t('connectionsPlace.pdf')} />
        </Shown>
      </div>
    </Section>
  )
}
