import type { AnswerStore } from './answers.ts';
import type { BaseStore } from './bases.ts';
import type { BrowseStore } from './browse.ts';
import type { EntityStore } from './entities.ts';
import type {
  ErpCustomerStore,
  ErpLotStore,
  ErpOrderStore,
  ErpPaymentStore,
  ErpProductStore,
  ErpStockStore,
  FormerSkuStore,
} from './erp.ts';
import type { GoneStore } from './gone.ts';
import type { DoubtStore, IntentStore, ReconcileStore } from './intents.ts';
import type { LeaseStore } from './leases.ts';
import type { LinkStore, MappingStore } from './links.ts';
import type {
  AssignmentStore,
  BatchStore,
  CustomerStore,
  ImageStore,
  MeasurementStore,
  NameStore,
  OrderStore,
  PaymentStore,
  ProductStore,
  TransportStore,
} from './marketplace.ts';
import type { NoticeStore } from './notices.ts';
import type { ObserveStore } from './observe.ts';
import type { PersonalStore } from './personal.ts';
import type { CursorStore, FactStore, InboxStore, InvalidRowStore } from './reading.ts';
import type { AuditStore, BrakeDecisionStore, BrakeStore, JournalStore, PauseStore, StrategyStore } from './record.ts';
import type { SessionStore } from './sessions.ts';

import type { DriftStore, StockHistoryStore, UnseenSaleStore } from './stock.ts';
import type { TokenStore } from './tokens.ts';
import type { UnlinkedStore } from './unlinked.ts';
import type { FailedJobStore, SetBackStore, WorkCounts, WorkStore } from './work.ts';
/**
 * Everything that is stored. Each function is one transaction, and its reads see one state. Nothing here depends on the
 * database engine.
 */
export interface Store extends SetBackStore {
  readonly observe: ObserveStore;
  readonly cursors: CursorStore;
  readonly facts: FactStore;
  readonly orders: OrderStore;
  readonly bases: BaseStore;
  readonly products: ProductStore;
  readonly erp: ErpProductStore &
    FormerSkuStore &
    ErpStockStore &
    ErpLotStore &
    ErpOrderStore &
    ErpCustomerStore &
    ErpPaymentStore;
  readonly batches: BatchStore;
  readonly transports: TransportStore;
  readonly payments: PaymentStore;
  readonly customers: CustomerStore;
  readonly personal: PersonalStore;
  readonly names: NameStore;
  readonly images: ImageStore;
  readonly entities: EntityStore;
  readonly mappings: MappingStore;
  readonly links: LinkStore;
  readonly unlinked: UnlinkedStore;
  readonly intents: IntentStore;
  readonly doubts: DoubtStore;
  readonly reconciles: ReconcileStore;
  readonly measurements: MeasurementStore;
  readonly assignments: AssignmentStore;
  readonly inbox: InboxStore;
  readonly work: WorkStore & WorkCounts & FailedJobStore;
  readonly journal: JournalStore;
  readonly audit: AuditStore;
  readonly brakes: BrakeStore & BrakeDecisionStore;
  readonly pauses: PauseStore;
  readonly strategies: StrategyStore;
  readonly invalidRows: InvalidRowStore;
  readonly gone: GoneStore;
  readonly drifts: DriftStore;
  readonly unseenSales: UnseenSaleStore;
  readonly history: StockHistoryStore;
  readonly tokens: TokenStore;
  readonly notices: NoticeStore;
  readonly sessions: SessionStore;
  readonly answers: AnswerStore;
  readonly leases: LeaseStore;
  readonly browse: BrowseStore;
}
