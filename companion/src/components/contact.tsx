import { phoneSizes } from '@integrity/protocol/clients/tokens'
import { Linking, Pressable, Text } from 'react-native'
import { useBrand } from '../hooks/use-brand.ts'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import { Heading } from './text-parts.tsx'

/** Whom to ask about one's data, where the organisation names somebody. */
export const Contact = ({ org }: { readonly org: string }) => {
  const { t } = useTexts()
  const { colours, styles } = useTheme()
  const contact = useBrand()?.contact
  if (!contact) return null
  return (
    <>
      <Heading>{t('consentContact', { org })}</Heading>
      <Pressable
        role="link"
        // A phone without a mail program opens nothing; the address can be read all the same.
        onPress={() => void Linking.openURL(contact.href).catch(() => {})}
        style={{ minHeight: phoneSizes.target, justifyContent: 'center' }}
      >
        <Text style={[styles.body, { color: colours.accent, textDecorationLine: 'underline' }]}>{contact.text}</Text>
      </Pressable>
    </>
  )
}
