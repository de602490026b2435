import { AppRegistry } from 'react-native'
import { App } from './src/app.tsx'
import { loadPart } from './src/platform/load-part.ts'

// What Metro calls for `import()` (react-native-community/discussions-and-proposals, 0605, "Lazy bundling").
Object.assign(globalThis, { __loadBundleAsync: loadPart })

// Expo's own start brings 6 kB of what a page has no use for.
AppRegistry.registerComponent('main', () => App)
AppRegistry.runApplication('main', { rootTag: document.getElementById('root') })
