import { Component, type ReactNode } from 'react'
import { useLanguage } from './language.tsx'
import { Page, Shell } from './shell.tsx'

const FailurePage = () => {
  const { t } = useLanguage()
  return (
    <Shell>
      <Page title={t('brokenTitle')}>
        <p>{t('brokenText')}</p>
        <div className="actions">
          <button type="button" className="main" onClick={() => location.reload()}>
            {t('reload')}
          </button>
        </div>
      </Page>
    </Shell>
  )
}

/** A page that cannot be drawn is replaced by one that says so; the agent behind it is not touched. */
export class FailureBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? <FailurePage /> : this.props.children
  }
}
