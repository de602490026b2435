import { Component, type ReactNode } from 'react'
import { useLanguage } from './language.tsx'
import { Page, Shell } from './shell.tsx'

const FailurePage = () => {
  const { t } = useLanguage()
  return (
    <Shell>
      <Page title={t('errorTitle')}>
        <p>{t('errorText')}</p>
        <div className="actions">
          <button type="button" className="main" onClick={() => location.reload()}>
            {t('reload')}
          </button>
        </div>
      </Page>
    </Shell>
  )
}

interface Props {
  readonly onFailure: () => void
  readonly children: ReactNode
}

/** A page that cannot be drawn is replaced by one that says so. */
export class FailureBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(): void {
    this.props.onFailure()
  }

  override render(): ReactNode {
    return this.state.failed ? <FailurePage /> : this.props.children
  }
}
