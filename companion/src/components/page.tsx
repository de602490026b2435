import { phoneSizes, space } from '@integrity/protocol/clients/tokens'
import type { ReactNode } from 'react'
import { Pressable, ScrollView, Text, View } from 'react-native'
import { useBrand } from '../hooks/use-brand.ts'
import { useTexts } from '../hooks/use-texts.tsx'
import { useTheme } from '../hooks/use-theme.ts'
import { phoneLanguages } from '../texts/phone.ts'
import { HelpLine } from './help-line.tsx'
import { Logo } from './logo.tsx'

interface Props {
  readonly children: ReactNode
  /** Stays in view below what scrolls, with its name. */
  readonly footer?: { readonly label: string; readonly content: ReactNode } | undefined
  /** Lies above everything. */
  readonly cover?: ReactNode
}

/** What all screens share: a column that scrolls, whose side view it is, and the choice of language. */
export const Page = ({ children, footer, cover }: Props) => (
  <PageGround>
    <PageColumn>{children}</PageColumn>
    {footer && <Footer label={footer.label}>{footer.content}</Footer>}
    {cover}
  </PageGround>
)

const PageGround = ({ children }: Pick<Props, 'children'>) => <View style={useTheme().styles.page}>{children}</View>

const Footer = ({ label, children }: Pick<Props, 'children'> & { readonly label: string }) => {
  const { colours, styles } = useTheme()
  return (
    <View
      role="region"
      aria-label={label}
      style={{ backgroundColor: colours.surface, borderTopWidth: 1, borderTopColor: colours.line }}
    >
      <View style={[styles.column, { paddingVertical: space.s }]}>{children}</View>
    </View>
  )
}

const PageColumn = ({ children }: Pick<Props, 'children'>) => {
  const { t, language, choose } = useTexts()
  const { colours, styles } = useTheme()
  const brand = useBrand()
  return (
    <ScrollView style={{ flex: 1 }}>
      <View style={styles.column}>
        <View role="banner" style={[styles.row, { justifyContent: 'space-between' }]}>
          <View style={styles.row}>
            {brand?.logo && <Logo uri={brand.logo} />}
            <Text style={styles.soft}>{brand?.name ?? t('productName')}</Text>
          </View>
          <View role="group" aria-label={t('languageLabel')} style={styles.row}>
            {phoneLanguages.map((other) => (
              <Pressable
                key={other.code}
                role="button"
                aria-pressed={other.code === language.code}
                lang={other.code}
                onPress={() => choose(other)}
                style={{
                  minHeight: phoneSizes.target,
                  minWidth: phoneSizes.target,
                  justifyContent: 'center',
                  alignItems: 'center',
                }}
              >
                <Text
                  style={[
                    styles.soft,
                    other.code === language.code
                      ? { color: colours.text, fontWeight: '700' }
                      : { color: colours.accent, textDecorationLine: 'underline' },
                  ]}
                >
                  {other.name}
                </Text>
              </Pressable>
            ))}
          </View>
        </View>
        <View role="main" style={{ gap: space.l }}>
          {children}
        </View>
        <HelpLine />
      </View>
    </ScrollView>
  )
}
