/** What react-native-web takes besides, for the document it makes; React Native leaves it out. */
import 'react-native'

declare module 'react-native' {
  interface ViewProps {
    readonly lang?: string
  }
  interface PressableProps {
    readonly lang?: string
  }
  interface TextProps {
    readonly tabIndex?: 0 | -1
  }
}
