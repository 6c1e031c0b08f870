import type { Caller } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type {
  ShownSource,
  ShownSourceDetail,
  SourceBody,
  SourceChange,
  SourceImportBody,
  SourceTestBody,
  SourceTestResult,
} from './sources.schema.js';

/** Sources as people set them up. */
export class Sources {
  async list(): Promise<ShownSource[]> {
    throw new HubError('busy');
  }

  async get(_id: number): Promise<ShownSourceDetail> {
    throw new HubError('busy');
  }

  async create(_body: SourceBody, _caller: Caller): Promise<number> {
    throw new HubError('busy');
  }

  async update(_id: number, _change: SourceChange, _caller: Caller): Promise<void> {
    throw new HubError('busy');
  }

  async delete(_id: number, _removesData: boolean, _caller: Caller): Promise<void> {
    throw new HubError('busy');
  }

  async test(_body: SourceTestBody, _signal: AbortSignal): Promise<SourceTestResult> {
    throw new HubError('busy');
  }

  async startImport(_id: number, _body: SourceImportBody, _caller: Caller): Promise<number> {
    throw new HubError('busy');
  }
}
