import { inviterLine } from '@integrity/protocol/clients/inviter'
import { phoneSizes } from '@integrity/protocol/clients/tokens'
import { useContext } from 'react'
import { Linking, Pressable, Text, View } from 'react-native'
import { PairingContext, useBrand } from '../hooks/use-brand.ts'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import { Soft } from './text-parts.tsx'

/** At the foot of every screen: whom to ask, and which session to name. */
export const HelpLine = () => {
  const { t } = useTexts()
  const { colours, styles } = useTheme()
  const contact = useBrand()?.contact
  const pairing = useContext(PairingContext)
  const inviter = pairing?.inviter
  return (
    <View role="contentinfo">
      {inviter && <Soft>{t('helpInviterNamed', { inviter: inviterLine(inviter) })}</Soft>}
      {contact ? (
        <Pressable
          role="link"
          // A phone without a mail program opens nothing; the address can be read all the same.
          onPress={() => void Linking.openURL(contact.href).catch(() => {})}
          style={{ minHeight: phoneSizes.target, justifyContent: 'center' }}
        >
          <Text style={[styles.soft, { color: colours.accent, textDecorationLine: 'underline' }]}>
            {t('helpContact', { contact: contact.text })}
          </Text>
        </Pressable>
      ) : (
        !inviter && <Soft>{t('helpInviter')}</Soft>
      )}
      {pairing !== undefined && <Soft>{t('helpSession', { id: pairing.session.id })}</Soft>}
    </View>
  )
}
