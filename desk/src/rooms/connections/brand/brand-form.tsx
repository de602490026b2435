import { paletteContrast } from '@integrity/protocol/clients/palette'
import { pageColours } from '@integrity/protocol/clients/tokens'
import { ExactField, LineField, WordsField } from '@integrity/shared-ui/web/fields'
import { useLanguage } from '../../../parts/language.ts'
import { type NamedField, TheirValues } from '../../../parts/their-values.tsx'
import type { Attempt } from '../../../parts/use-attempt.ts'
import type { Met } from '../../../parts/use-theirs.ts'
import { SettingsForm } from '../parts/settings-form.tsx'
import { Tick } from '../parts/tick.tsx'
import { type BrandWords, contrastsOf, paletteNames, typedPalette } from './brand-words.ts'

interface FieldsProps {
  readonly words: BrandWords
  readonly change: (part: Partial<BrandWords>) => void
  readonly attempt: Attempt
}

/** Each colour as text, and chosen the way of the browser. */
const ColourFields = ({ words, change, attempt }: FieldsProps) => {
  const { t } = useLanguage()
  return (
    <fieldset>
      <legend>{t('connectionsColours')}</legend>
      {paletteNames.map((name) => (
        <div key={name} className="filters">
          <ExactField
            name={name}
            label={t(`connectionsColour.${name}`)}
            value={words[name]}
            onChange={(value) => change({ [name]: value })}
            error={attempt.at(`palette.${name}`)}
            maxLength={7}
          />
          <input
            type="color"
            className="swatch"
            aria-label={t('connectionsColourChoose', { name: t(`connectionsColour.${name}`) })}
            value={/^#[0-9a-f]{6}$/i.test(words[name]) ? words[name] : pageColours.text[0]}
            onChange={({ target }) => change({ [name]: target.value })}
          />
        </div>
      ))}
      <Contrasts words={words} />
    </fieldset>
  )
}

/** Whether what is typed can be read, before the service is asked. */
const Contrasts = ({ words }: Pick<FieldsProps, 'words'>) => {
  const { t } = useLanguage()
  const palette = typedPalette(words)
  if (!palette) return <p role="status">{t('connectionsColoursWanted')}</p>
  return (
    <div role="status">
      <ul>
        {contrastsOf(palette).map(({ above, below, ratio }) => (
          <li key={`${above} ${below}`}>
            {t(ratio >= paletteContrast ? 'connectionsContrastOk' : 'connectionsContrastLow', {
              above: t(`connectionsColour.${above}`),
              below: t(`connectionsColour.${below}`),
              ratio: String(ratio),
              needed: String(paletteContrast),
            })}
          </li>
        ))}
      </ul>
    </div>
  )
}

const fields = ['displayName', 'privacyContact', 'welcome', ...paletteNames.map((name) => `palette.${name}`)]

interface Props extends FieldsProps {
  /** What somebody else has saved since. */
  readonly met: Met<BrandWords> | undefined
  readonly onSave: () => void
}

const useNamedFields = (): readonly NamedField[] => {
  const { t } = useLanguage()
  return [
    { name: 'displayName', label: t('connectionsDisplayName') },
    { name: 'own', label: t('connectionsOwnColours'), show: (own) => t(own === 'yes' ? 'theirsOn' : 'theirsOff') },
    ...paletteNames.map((name) => ({ name, label: t(`connectionsColour.${name}`) })),
    { name: 'privacyContact', label: t('connectionsContact') },
    { name: 'welcome', label: t('connectionsWelcome') },
  ]
}

/** Name, colours and words of the organisation. */
export const BrandForm = ({ words, change, attempt, met, onSave }: Props) => {
  const { t } = useLanguage()
  const { at } = attempt
  const named = useNamedFields()
  return (
    <SettingsForm
      of={attempt}
      theirs={<TheirValues met={met} words={words} fields={named} onChange={change} />}
      fields={fields}
      submit={t('connectionsSave')}
      done={t('connectionsBrandSaved')}
      onSubmit={onSave}
    >
      <LineField
        name="displayName"
        label={t('connectionsDisplayName')}
        help={t('connectionsDisplayNameHelp')}
        value={words.displayName}
        onChange={(displayName) => change({ displayName })}
        error={at('displayName')}
        optional
        maxLength={200}
      />
      <Tick
        label={t('connectionsOwnColours')}
        checked={words.own === 'yes'}
        onChange={(on) => change({ own: on ? 'yes' : '' })}
      />
      {words.own === 'yes' ? <ColourFields words={words} change={change} attempt={attempt} /> : null}
      <LineField
        name="privacyContact"
        label={t('connectionsContact')}
        help={t('connectionsContactHelp')}
        value={words.privacyContact}
        onChange={(privacyContact) => change({ privacyContact })}
        error={at('privacyContact')}
        optional
        maxLength={300}
      />
      <WordsField
        name="welcome"
        label={t('connectionsWelcome')}
        value={words.welcome}
        onChange={(welcome) => change({ welcome })}
        error={at('welcome')}
        optional
        maxLength={500}
      />
    </SettingsForm>
  )
}
