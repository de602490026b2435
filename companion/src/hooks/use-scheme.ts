import { useColorScheme } from 'react-native'

/** What the phone is set to. */
export const useScheme = (): 'light' | 'dark' => (useColorScheme() === 'dark' ? 'dark' : 'light')
