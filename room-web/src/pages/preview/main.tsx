import { createRoot } from 'react-dom/client'
import { PreviewPage } from './preview-page.tsx'
import { openShownBrand } from './shown-brand.ts'

const root = document.getElementById('app')
if (root) {
  // It is a picture: nothing in it is pressed, and nothing in it takes the keyboard from the form beside it.
  root.inert = true
  createRoot(root).render(<PreviewPage brand={openShownBrand()} />)
}
