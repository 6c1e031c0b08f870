import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { type DatasetOptions, toDatasetQuery } from './dataset-options';

/** How many pictures a data set would have. */
export const datasetPreviewQuery = (options: DatasetOptions) =>
  queryOptions({
    queryKey: ['dataset', options],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/dataset/preview', { params: { query: toDatasetQuery(options) }, signal })),
    placeholderData: (previous) => previous,
  });
